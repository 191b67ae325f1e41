package main

import (
	client "client"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
)

type call struct {
	OperationId string
	Path        []json.RawMessage
	Parameters  json.RawMessage
	Body        json.RawMessage
}

// Each parameter of a method is an element of the path, or all others together, or the body.
func arguments(method reflect.Type, one call) []reflect.Value {
	values := []reflect.Value{reflect.ValueOf(context.Background())}
	rest := append(append([]json.RawMessage{}, one.Path...), one.Parameters, one.Body)
	for n := 1; n < method.NumIn()-1; n++ {
		if n == len(one.Path)+1 && method.In(n).Kind() != reflect.Pointer {
			rest = append(rest[:n-1], one.Body)
		}
		value := reflect.New(method.In(n))
		if err := json.Unmarshal(rest[n-1], value.Interface()); err != nil {
			panic(err)
		}
		values = append(values, value.Elem())
	}
	return values
}

func main() {
	login := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("LOGIN"), os.Getenv("SECRET"))
		return nil
	})
	api, _ := client.NewClientWithResponses(os.Getenv("BASE_URL"), login)
	text, _ := os.ReadFile(os.Getenv("CALLS"))
	var calls []call
	if err := json.Unmarshal(text, &calls); err != nil {
		panic(err)
	}
	for _, one := range calls {
		method := reflect.ValueOf(api).MethodByName(one.OperationId + "WithResponse")
		results := method.Call(arguments(method.Type(), one))
		if !results[1].IsNil() {
			panic(results[1].Interface())
		}
		status := results[0].MethodByName("StatusCode").Call(nil)[0].Int()
		fmt.Println(one.OperationId, status)
	}
}
