#!/usr/bin/env bash
# A program on a build server governs categories and takes back an invitation, with the secret of an app and no person's token.
# It starts a server of its own to show that; the part between the lines is what you take. Run it with: npm run pipeline
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
PATH="$root/node_modules/.bin:$PATH"

folder=$(mktemp -d)
port=${PORT:-8083}
export ADMIN_PASSWORD DATABASE_URL=file:$folder/cartulary.db LOG_LEVEL=warn PORT=$port
ADMIN_PASSWORD=$(node -p 'crypto.randomUUID()')
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
json() { node -p "JSON.parse(fs.readFileSync(0))$1"; }
cartulary() { (cd "$folder" && node "$root/bin/cartulary.mjs" "$@"); }

cartulary >"$folder/log" &
until grep -q 'is ready at' "$folder/log" 2>/dev/null; do
  kill -0 $! 2>/dev/null || { echo 'The server did not start.'; exit 1; }
  sleep 0.05
done
api=http://localhost:$port/sharing/rest

say 'The administrator of the host has invited a partner.'
admin=$(curl -s "$api/generateToken" -d username=admin -d password="$ADMIN_PASSWORD" | json .token)
id=$(curl -s "$api/portals/self/createCollaboration" -d token="$admin" -d name=Alps -d workspaceName=Maps | json .collaboration.id)
collaboration=portals/self/collaborations/$id
workspace=$(curl -s "$api/$collaboration/workspaces" -d token="$admin" -d f=json | json .workspaces[0].id)
curl -s -o "$folder/partner.invite" "$api/$collaboration/inviteParticipant" -d token="$admin" \
  -d guestPortalUrl=https://guest.example.com --data-urlencode \
  "collaborationWorkspacesParticipantConfigJSON=[{\"$workspace\":\"send\"}]"

say 'The operator registers the app. Its secret ends after a year.'
organization=$(cartulary organization list | cut -d' ' -f1)
cartulary app register --organization "$organization" --title Pipeline --type server --expiration 365 \
  --privilege portal:admin:updateItemCategorySchema --privilege portal:admin:manageCollaborations >"$folder/app"
client_id=$(sed -n 's/^Client id *//p' "$folder/app")
client_secret=$(sed -n 's/^Client secret *//p' "$folder/app")
grep Ends "$folder/app"

# ---------------------------------------------------------------------------------------------------------------------
token() { # secret
  curl -s "$api/oauth2/token" -d grant_type=client_credentials -d client_id="$client_id" -d client_secret="$1" | json .access_token
}
call() { # path [argument of curl …]
  curl -s -H "Authorization: Bearer $token" "$api/$1" "${@:2}" -d f=json
}
token=$(token "$client_secret")
schema='{"categorySchema":[{"title":"Themes","categories":[{"title":"Water"},{"title":"Soil"}]}]}'

say 'Plans: what would the file change?'
plan=$(call portals/self/categorySchema/plan --data-urlencode "categorySchema=$schema")
echo "version $(json .version <<<"$plan"): $(json '.changes.map(({ op, path }) => `${op} ${path}`).join(", ")' <<<"$plan")"

say 'Assigns it, to that very version and no other.'
call portals/self/assignCategorySchema --data-urlencode "categorySchema=$schema" \
  -d ifVersion="$(json .version <<<"$plan")" -d comment='From the repository'; echo
call portals/self/assignCategorySchema --data-urlencode "categorySchema=${schema/Soil/Ground}" -d ifVersion=1; echo

say 'Restores what was there before.'
call portals/self/categorySchema/versions/1/restore -d ifVersion=2; echo

say 'Takes back the invitations that are open.'
for invitation in $(call "$collaboration/invitations" -d status=host_created | json '.collaborationInvitations.map(({ id }) => id).join(" ")'); do
  call "$collaboration/invitations/$invitation/invalidate"; echo
done
# ---------------------------------------------------------------------------------------------------------------------

say 'A year later the operator renews the secret: both are valid until the former one is ended.'
cartulary app renew-secret "$client_id" >"$folder/renewed"
renewed=$(sed -n 's/^Client secret *//p' "$folder/renewed")
for secret in "$client_secret" "$renewed"; do
  token=$(token "$secret")
  call portals/self/categorySchema/versions | json '.versions.map(({ action, modifiedBy }) => `${action} by ${modifiedBy}`).join(", ")'
done
