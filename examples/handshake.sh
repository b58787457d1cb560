#!/usr/bin/env bash
# Two servers, host and guest, go through the life of an invitation by exchanging files. Nothing but curl talks to them,
# and no server talks to another. Run it with: npm run handshake
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
PATH="$root/node_modules/.bin:$PATH"

folder=$(mktemp -d)
password=$(node -p 'crypto.randomUUID()')
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
json() { node -p "JSON.parse(fs.readFileSync(0))$1"; }

# Starts a server that keeps nothing, with no settings but these, and waits until it is ready.
serve() { # name port
  (cd "$folder" && exec env -i PATH="$PATH" ADMIN_PASSWORD="$password" ORGANIZATION_NAME="$1" PORT="$2" \
    DATABASE_URL=file::memory: LOG_LEVEL=warn node "$root/bin/cartulary.mjs" >"$1.log") &
  local server=$!
  until grep -q 'is ready at' "$folder/$1.log" 2>/dev/null; do
    kill -0 $server 2>/dev/null || { echo "The server $1 did not start."; exit 1; }
    sleep 0.05
  done
}
sign_in() { # api
  curl -s "$1/generateToken" -d username=admin -d password="$password" | json .token
}

say 'Two servers in memory, each with its own organization and key.'
serve Host "${HOST_PORT:-8081}"
serve Guest "${GUEST_PORT:-8082}"
host=http://localhost:${HOST_PORT:-8081}/sharing/rest
guest=http://localhost:${GUEST_PORT:-8082}/sharing/rest
as_host="X-Esri-Authorization: Bearer $(sign_in "$host")"
as_guest="X-Esri-Authorization: Bearer $(sign_in "$guest")"
echo "host:  key $(curl -s -H "$as_host" "$host/portals/self/publicKey" | json .fingerprint)"
echo "guest: key $(curl -s -H "$as_guest" "$guest/portals/self/publicKey" | json .fingerprint)"

say 'The host makes a collaboration and invites the guest.'
id=$(curl -s -H "$as_host" "$host/portals/self/createCollaboration" -d name=Alps -d workspaceName=Maps | json .collaboration.id)
collaboration=portals/self/collaborations/$id
workspace=$(curl -s -H "$as_host" "$host/$collaboration/workspaces" | json .workspaces[0].id)
invite() { # file
  curl -s -H "$as_host" "$host/$collaboration/inviteParticipant" -o "$1" \
    -d guestPortalUrl="${guest%/sharing/rest}" \
    --data-urlencode "collaborationWorkspacesParticipantConfigJSON=[{\"$workspace\":\"send\"}]"
}
invite "$folder/first.invite"
echo "invitation $(json .invitationRequest.id <"$folder/first.invite")"

say 'The guest looks at the file, compares the key, and accepts.'
curl -s -H "$as_guest" "$guest/portals/self/validateCollaborationInvitation" \
  -F invitationFile=@"$folder/first.invite" | json .hostKeyFingerprint
curl -s -H "$as_guest" "$guest/portals/self/acceptCollaborationInvitation" \
  -F invitationFile=@"$folder/first.invite" -F guestContactFirstname=Grete; echo
curl -s -H "$as_guest" "$guest/$collaboration/exportInvitationResponse" -d f=json -o "$folder/first.response"

say 'The host imports the response; each side lists the other.'
curl -s -H "$as_host" "$host/$collaboration/importInvitationResponse" \
  -F invitationResponseFile=@"$folder/first.response" | json .success
names='.participants.map(p => p.portalInfo.name + " (" + p.collaborationRole + ")").join(", ")'
echo "host:  $(curl -s -H "$as_host" "$host/$collaboration/participants" | json "$names")"
echo "guest: $(curl -s -H "$as_guest" "$guest/$collaboration/participants" | json "$names")"

say 'The guest leaves, is invited again, and accepts; but the host takes the invitation back before the response comes.'
guest_id=$(curl -s -H "$as_guest" "$guest/portals/self" | json .id)
curl -s -H "$as_guest" "$guest/$collaboration/removeParticipation" -d f=json; echo
curl -s -H "$as_host" "$host/$collaboration/participants/$guest_id/remove" -d f=json; echo
invite "$folder/second.invite"
curl -s -H "$as_guest" "$guest/portals/self/acceptCollaborationInvitation" -F invitationFile=@"$folder/second.invite"; echo
curl -s -H "$as_guest" "$guest/$collaboration/exportInvitationResponse" -d f=json -o "$folder/second.response"
invitation=$collaboration/invitations/$(json .invitationRequest.id <"$folder/second.invite")
curl -s -H "$as_host" "$host/$invitation/invalidate"; echo

say 'The response no longer imports.'
curl -s -H "$as_host" "$host/$collaboration/importInvitationResponse" \
  -F invitationResponseFile=@"$folder/second.response"; echo
echo "invitation: $(curl -s -H "$as_host" "$host/$invitation" | json .status)"
echo "host:  $(curl -s -H "$as_host" "$host/$collaboration/participants" | json "$names")"
