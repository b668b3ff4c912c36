// A pod as the API server reads it: decoded, defaulted, converted; and what it says when it refuses one.
package main

import (
	"cmp"
	"errors"
	"slices"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	k8sv1 "k8s.io/kubernetes/pkg/apis/core/v1"
)

// decode gives the pod in the form in which Kubernetes validates it.
func decode(text []byte) (*api.Pod, error) {
	object, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), text)
	if err != nil {
		return nil, err
	}
	pod, ok := object.(*api.Pod)
	if !ok {
		return nil, errors.New("this is no Pod")
	}
	return pod, nil
}

// toV1 gives the pod in the form in which the scheduler and the kubelet read it, and a copy, since PodRequests adds overhead to
// the pod's own quantities when they are too long for an int64.
func toV1(internal *api.Pod) *v1.Pod {
	pod := &v1.Pod{}
	if err := k8sv1.Convert_core_Pod_To_v1_Pod(internal.DeepCopy(), pod, nil); err != nil {
		panic(err)
	}
	return pod
}

type fieldError struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refusalOf gives the errors that a client would find in the causes of its answer.
func refusalOf(err error) []fieldError {
	if err == nil {
		return nil
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil {
		return []fieldError{{Message: err.Error()}}
	}
	found := make([]fieldError, 0, len(status.ErrStatus.Details.Causes))
	for _, cause := range status.ErrStatus.Details.Causes {
		found = append(found, fieldError{Type: string(cause.Type), Field: cause.Field, Message: cause.Message})
	}
	// Kubernetes finds what is wrong in maps in any order.
	slices.SortFunc(found, func(a, b fieldError) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Message, b.Message))
	})
	return found
}
