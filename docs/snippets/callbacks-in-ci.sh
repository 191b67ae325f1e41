# A test of your receiver in CI: sends a message on a sandbox, whose account has the mode feed, and passes its callbacks on.
# Environment: BASE_URL, LOGIN (the login alone) and SECRET of a key (full), and WEBHOOK_SECRET, which listen.mjs signs with.
set -e
: "${BASE_URL:?must be set}" "${LOGIN:?must be the login alone}" "${SECRET:?must be set}" "${WEBHOOK_SECRET:?must be set}"
stop() { echo "$1" >&2; exit 1; }
case $LOGIN in *:*) stop 'LOGIN holds the login alone, and SECRET the secret.' ;; esac
if curl -s -m 2 -o /dev/null http://localhost:8080; then stop 'Port 8080 is taken: stop what listens there.'; fi
node receiver.mjs & receiver=$!
trap 'kill $receiver 2>/dev/null || :' EXIT
ask() { curl -sSf -u "$LOGIN:$SECRET" -H 'content-type: application/json' "$@"; }
ask -X PUT "$BASE_URL/sandbox/phones/79999990004"
sent=$(ask "$BASE_URL/push/delivery" -d '{"pushType": "SERVICE", "msisdn": 79999990004,
  "payload": {"title": "Test", "message": "From CI"}, "qos": {"deliveryStatusNotifications": true}}')
message=$(node -p 'JSON.parse(process.argv[1]).messageId' "$sent")
node listen.mjs --to http://localhost:8080/callbacks --message "$message" --expect 2 --within 60
