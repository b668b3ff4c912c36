//go:build minor33 || minor34 || minor35

package main

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	internalapi "k8s.io/cri-api/pkg/apis"
	remote "k8s.io/cri-client/pkg"
	"k8s.io/klog/v2"
)

func connect(_ context.Context, endpoint string, timeout time.Duration) (internalapi.RuntimeService, error) {
	logger := klog.Background()
	return remote.NewRemoteRuntimeService(endpoint, timeout, noop.NewTracerProvider(), &logger)
}
