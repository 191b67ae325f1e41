package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func bySnippet(headers http.Header, body []byte, secret string) bool {
	lower := map[string]string{}
	for name := range headers {
		lower[strings.ToLower(name)] = headers.Get(name)
	}
	genuine, err := IsGenuine(lower, body, secret, time.Now().Unix())
	return err == nil && genuine
}

func byLibrary(headers http.Header, body []byte, secret string) bool {
	webhook, err := standardwebhooks.NewWebhook(secret)
	return err == nil && webhook.Verify(body, headers) == nil
}

func main() {
	isGenuine := byLibrary
	if len(os.Args) > 2 {
		isGenuine = bySnippet
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		authorized := request.Header.Get("authorization") == os.Getenv("AUTHORIZATION")
		if err != nil || !authorized || !isGenuine(request.Header, body, os.Getenv("SECRET")) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		response.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
