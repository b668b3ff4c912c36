// What the API server says of a pod that is created or resized, and what the scheduler counts for it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"

	v1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper/qos"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

type podAnswer struct {
	// Decode is why it was not even read.
	Decode string `json:"decode,omitempty"`
	// Errors are why it was refused.
	Errors []fieldError `json:"errors,omitempty"`
	// Unstorable is why there can be no such stored pod; then nothing else was asked.
	Unstorable []fieldError `json:"unstorable,omitempty"`
	// Stored is the stored pod as a webhook is sent it.
	Stored json.RawMessage `json:"stored,omitempty"`
	// Requests, Limits and QOS are those of the spec as it would be stored.
	Requests nanos  `json:"requests,omitempty"`
	Limits   nanos  `json:"limits,omitempty"`
	QOS      string `json:"qos,omitempty"`
	// Uncounted are the resources of Requests and of Limits of which the scheduler counts another amount.
	Uncounted *uncounted `json:"uncounted,omitempty"`
	// Held are the requests of the pod beside the status that it has: a new one that which was sent with it.
	Held *nanos `json:"held,omitempty"`
	// Changed says whether a resize raises the generation of the pod.
	Changed bool `json:"changed,omitempty"`
}

type uncounted struct {
	Requests []string `json:"requests"`
	Limits   []string `json:"limits"`
}

// nanos are exact amounts by resource; the text of a quantity loses what is too large for a suffix.
type nanos map[string]string

func toNanos(resources v1.ResourceList) nanos {
	exact := make(nanos, len(resources))
	for name, quantity := range resources {
		exact[string(name)] = nanosOf(quantity)
	}
	return exact
}

// create answers for a pod that is sent to be created. Its status is only asked for what it holds: no client can send one.
func create(text []byte) podAnswer {
	asked, err := decode(text)
	if err != nil {
		return podAnswer{Decode: err.Error()}
	}
	err = store(asked)
	answer := describePod(asked)
	answer.Errors = refusalOf(err)
	answer.Held = heldBy(asked)
	return answer
}

// resize answers for a pod that is sent to pods/resize, as `asked`, in place of one that was created as `stored`.
func resize(storedText, askedText []byte) podAnswer {
	stored, err := decode(storedText)
	if err != nil {
		return podAnswer{Unstorable: []fieldError{{Message: err.Error()}}}
	}
	if err := store(stored); err != nil {
		return podAnswer{Unstorable: refusalOf(err)}
	}
	sent, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(v1.SchemeGroupVersion), stored)
	if err != nil {
		panic(err)
	}
	// What is stored is a text, and texts of large quantities lose their suffix.
	stored, err = decode(sent)
	if err != nil {
		panic(err)
	}
	asked, err := decode(askedText)
	if err != nil {
		return podAnswer{Decode: err.Error(), Stored: sent}
	}
	complete(asked)
	err = rest.BeforeUpdate(pod.ResizeStrategy, contextOf(stored, "resize"), asked, stored)
	answer := describePod(asked)
	answer.Errors = refusalOf(err)
	answer.Held = heldBy(asked)
	answer.Changed = asked.Generation != stored.Generation
	answer.Stored = sent
	return answer
}

// store makes of a new pod what is stored of it, and then gives it the status with which it came. The class that it is stored with
// stays, where it came with none.
func store(internal *api.Pod) error {
	status := internal.Status
	complete(internal)
	err := rest.BeforeCreate(pod.Strategy, contextOf(internal, ""), internal)
	status.QOSClass = cmp.Or(status.QOSClass, internal.Status.QOSClass)
	internal.Status = status
	return err
}

func describePod(internal *api.Pod) podAnswer {
	external := toV1(internal)
	requests := resource.PodRequests(external, ofSpec())
	limits := resource.PodLimits(external, ofSpec())
	return podAnswer{
		Requests:  toNanos(requests),
		Limits:    toNanos(limits),
		Uncounted: &uncounted{Requests: miscounted(requests), Limits: miscounted(limits)},
		QOS:       string(qos.ComputePodQOS(internal)),
	}
}

func heldBy(internal *api.Pod) *nanos {
	held := toNanos(resource.PodRequests(toV1(internal), withStatus()))
	return &held
}

// miscounted gives what counts as another amount where the scheduler and the kubelet make a number of it: cpu in thousandths,
// everything else in units.
func miscounted(resources v1.ResourceList) []string {
	names := []string{}
	for name, quantity := range resources {
		counted, unit := quantity.Value(), int64(1_000_000_000)
		if name == v1.ResourceCPU {
			counted, unit = quantity.MilliValue(), 1_000_000
		}
		if !isAmount(counted, unit, quantity) {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	return names
}

// isAmount says whether a count of so many nanos is the exact amount, rounded up.
func isAmount(counted, unit int64, quantity apiresource.Quantity) bool {
	exact, _ := new(big.Int).SetString(nanosOf(quantity), 10)
	least := new(big.Int).Mul(big.NewInt(counted-1), big.NewInt(unit))
	most := new(big.Int).Mul(big.NewInt(counted), big.NewInt(unit))
	return exact.Cmp(least) > 0 && exact.Cmp(most) <= 0
}

// complete sets what the API server sets before it validates, and a generated pod does not hold.
func complete(internal *api.Pod) {
	internal.UID = "00000000-0000-4000-8000-000000000000"
	internal.ResourceVersion = "1"
	internal.CreationTimestamp = metav1.Unix(1796029200, 0)
}

func contextOf(internal *api.Pod, subresource string) context.Context {
	info := &genericapirequest.RequestInfo{APIVersion: "v1", Resource: "pods", Subresource: subresource}
	ctx := genericapirequest.WithRequestInfo(genericapirequest.NewContext(), info)
	return genericapirequest.WithNamespace(ctx, internal.Namespace)
}

// ofSpec is how the scheduler counts a pod that it places.
func ofSpec() resource.PodResourcesOptions {
	return resource.PodResourcesOptions{SkipPodLevelResources: !isEnabled(features.PodLevelResources)}
}

// withStatus is how the scheduler counts a pod that is placed.
func withStatus() resource.PodResourcesOptions {
	options := ofSpec()
	options.UseStatusResources = true
	// The option and its gate exist from 1.35 on.
	const name = "InPlacePodLevelResourcesVerticalScaling"
	option := reflect.ValueOf(&options).Elem().FieldByName(name + "Enabled")
	if option.IsValid() {
		option.SetBool(isEnabled(name))
	}
	return options
}

func isEnabled(gate featuregate.Feature) bool {
	return utilfeature.DefaultFeatureGate.Enabled(gate)
}
