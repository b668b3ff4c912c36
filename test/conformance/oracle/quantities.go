// What a text means as a quantity.
package main

import (
	"errors"
	"math/big"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

type quantityAnswer struct {
	// Problem is why it is none: format, numeric or suffix.
	Problem string `json:"problem,omitempty"`
	// Text is String(), and InPod is what it becomes in a pod, where it is rounded up to milli-units.
	Text   string `json:"text,omitempty"`
	InPod  string `json:"inPod,omitempty"`
	Format string `json:"format,omitempty"`
	// Nanos is the exact value; Value and MilliValue are what Kubernetes counts, overflows included.
	Nanos      string `json:"nanos,omitempty"`
	Value      string `json:"value,omitempty"`
	MilliValue string `json:"milliValue,omitempty"`
}

func parseText(text string) quantityAnswer {
	parsed, err := resource.ParseQuantity(text)
	return describe(parsed, err)
}

func parseToken(token string) quantityAnswer {
	var parsed resource.Quantity
	err := parsed.UnmarshalJSON([]byte(token))
	return describe(parsed, err)
}

func describe(parsed resource.Quantity, err error) quantityAnswer {
	if err != nil {
		return quantityAnswer{Problem: problemOf(err)}
	}
	answer := quantityAnswer{
		Format:     string(parsed.Format),
		Nanos:      nanosOf(parsed),
		Value:      strconv.FormatInt(parsed.Value(), 10),
		MilliValue: strconv.FormatInt(parsed.MilliValue(), 10),
	}
	rounded := parsed.DeepCopy()
	rounded.RoundUp(resource.Milli)
	answer.Text = parsed.String()
	answer.InPod = rounded.String()
	return answer
}

func problemOf(err error) string {
	switch {
	case errors.Is(err, resource.ErrFormatWrong):
		return "format"
	case errors.Is(err, resource.ErrNumeric):
		return "numeric"
	case errors.Is(err, resource.ErrSuffix):
		return "suffix"
	}
	return err.Error()
}

// nanosOf gives the exact value, of which no quantity has a part below one nano.
func nanosOf(quantity resource.Quantity) string {
	// AsDec changes what it is asked of.
	copied := quantity.DeepCopy()
	dec := copied.AsDec()
	nanos := new(big.Int).Set(dec.UnscaledBig())
	power := 9 - int64(dec.Scale())
	factor := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(power, -power)), nil)
	if power < 0 {
		return nanos.Quo(nanos, factor).String()
	}
	return nanos.Mul(nanos, factor).String()
}
