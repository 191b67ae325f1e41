package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 5 * 60

var wholeSeconds = regexp.MustCompile(`^[0-9]{1,15}$`)

// IsGenuine tells whether a callback comes from the service. The names of headers are in lower case (of an
// http.Header, pass what Get returns), body is the bytes as they arrived, now is in seconds.
func IsGenuine(headers map[string]string, body []byte, secret string, now int64) (bool, error) {
	id, timestamp := headers["webhook-id"], headers["webhook-timestamp"]
	if id == "" || !wholeSeconds.MatchString(timestamp) {
		return false, nil
	}
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now-sentAt > toleranceSeconds || sentAt-now > toleranceSeconds {
		return false, err
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return false, errors.New("the secret is empty or not base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(headers["webhook-signature"], " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true, nil
		}
	}
	return false, nil
}

// On the command line: {"headers": ..., "body": ..., "secret": ..., "now": ...} comes in, 0 or 1 goes out.
func main() {
	request := struct {
		Headers      map[string]string
		Body, Secret string
		Now          int64
	}{Now: time.Now().Unix()}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		panic(err)
	}
	genuine, err := IsGenuine(request.Headers, []byte(request.Body), request.Secret, request.Now)
	if err != nil {
		panic(err)
	}
	if !genuine {
		os.Exit(1)
	}
}
