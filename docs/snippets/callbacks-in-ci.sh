# A test of your receiver in CI: sends a message on a sandbox, whose account has the mode feed, and passes its callbacks on.
# Environment: BASE_URL, LOGIN and SECRET of a key (full), and WEBHOOK_SECRET, which listen.mjs signs with.
set -e
node receiver.mjs & receiver=$!
trap 'kill $receiver' EXIT
ask() { curl -sSf -u "$LOGIN:$SECRET" -H 'content-type: application/json' "$@"; }
ask -X PUT "$BASE_URL/sandbox/phones/79999990004"
sent=$(ask "$BASE_URL/push/delivery" -d '{"pushType": "SERVICE", "msisdn": 79999990004,
  "payload": {"title": "Test", "message": "From CI"}, "qos": {"deliveryStatusNotifications": true}}')
message=$(node -p 'JSON.parse(process.argv[1]).messageId' "$sent")
node listen.mjs --to http://localhost:8080/callbacks --message "$message" --expect 2 --within 60
