import { accountsOfRows } from '../tables/rows/kept-bytes.ts'

const oldestKept = `from category_schema_versions as kept where kept.owner_kind = head.owner_kind
  and kept.owner_id = head.owner_id order by kept.version limit 1 offset`

/** Rows that contradict each other. Operations never create them: they are bugs or damage. */
export const disagreements: readonly { readonly what: string; readonly query: string }[] = [
  {
    what: 'category schemas whose group or organization is gone',
    query: `category_schemas as head where head.group_deleted_at is null and not (
      (head.owner_kind = 'group' and exists (select 1 from "groups" where "groups".group_id = head.owner_id))
      or (head.owner_kind = 'portal' and exists (select 1 from portals where portals.portal_id = head.owner_id)))`,
  },
  {
    what: 'category schemas whose present version is missing',
    query: `category_schemas as head where not exists (select 1 from category_schema_versions as kept
      where kept.owner_kind = head.owner_kind and kept.owner_id = head.owner_id and kept.version = head.version)`,
  },
  {
    what: 'category schemas that are set without a document, or unset with one',
    query: `category_schemas as head left join category_schema_versions as kept on kept.owner_kind = head.owner_kind
      and kept.owner_id = head.owner_id and kept.version = head.version
      left join category_schema_versions as source on source.owner_kind = head.owner_kind
      and source.owner_id = head.owner_id and source.version = head.document_version
      where head.group_deleted_at is null and case when head.is_set = 1 then source.document is null
      or head.document_version <> coalesce(kept.same_as, kept.version)
      else kept.document is not null or kept.same_as is not null end`,
  },
  {
    what: 'versions of category schemas without a category schema',
    query: `category_schema_versions as kept where not exists (select 1 from category_schemas as head
      where head.owner_kind = kept.owner_kind and head.owner_id = kept.owner_id and head.version >= kept.version)`,
  },
  {
    what: 'versions of category schemas whose document is missing',
    query: `category_schema_versions as kept where kept.same_as is not null and not exists (
      select 1 from category_schema_versions as source where source.owner_kind = kept.owner_kind
      and source.owner_id = kept.owner_id and source.version = kept.same_as and source.document is not null)`,
  },
  {
    what: 'category schemas with other versions than are counted',
    query: `category_schemas as head where exists (select count(*) from category_schema_versions as kept
      where kept.owner_kind = head.owner_kind and kept.owner_id = head.owner_id
      having count(*) <> head.kept_versions)`,
  },
  {
    what: 'category schemas that count for another organization than that of their owner',
    query: `category_schemas as head where head.group_deleted_at is null and coalesce(head.portal_id, '') <> case
      when head.owner_kind = 'portal' then head.owner_id
      else coalesce((select "groups".portal_id from "groups" where "groups".group_id = head.owner_id), '') end`,
  },
  {
    what: 'category schemas of which it is not known since when a version can be removed',
    query: `category_schemas as head where coalesce(head.removable_since, -1) <> coalesce(
      (select case when kept.same_as is null then kept.assigned_at end ${oldestKept} 1),
      (select kept.assigned_at ${oldestKept} 2), -1)`,
  },
  {
    what: 'invitations whose history contradicts their state',
    query: `invitations as invitation where (select count(*) from invitation_steps as step
      where step.invitation_id = invitation.invitation_id) <> invitation.revision
      or not exists (select 1 from invitation_steps as step where step.invitation_id = invitation.invitation_id
      and step.step = invitation.revision and step.to_state = invitation.state)`,
  },
  {
    what: 'steps of invitations whose states do not follow each other',
    query: `invitation_steps as later left join invitation_steps as earlier
      on earlier.invitation_id = later.invitation_id and earlier.step = later.step - 1
      where coalesce(later.from_state, '') <> coalesce(earlier.to_state, '')`,
  },
  {
    what: 'accepted invitations without a guest',
    query: `invitations where state = 'host_accepted' and guest_portal_id is null`,
  },
  {
    what: 'memberships of a user or a group that is gone',
    query: `members where not exists (select 1 from users where users.user_id = members.user_id)
      or not exists (select 1 from "groups" where "groups".group_id = members.group_id)`,
  },
  {
    what: 'collaborations without their host among the participants',
    query: `collaborations where not exists (select 1 from participants
      where participants.collaboration_id = collaborations.collaboration_id
      and participants.portal_id = collaborations.host_portal_id and participants.role = 'Host')`,
  },
  {
    what: 'participations whose host is not known by a key',
    query: `participations where not exists (select 1 from known_keys
      where known_keys.portal_id = participations.portal_id
      and known_keys.signer_portal_id = participations.host_portal_id)`,
  },
  {
    what: 'participations whose host is known at no address',
    query: `participations where not exists (select 1 from known_addresses
      where known_addresses.portal_id = participations.portal_id
      and known_addresses.signer_portal_id = participations.host_portal_id)`,
  },
  {
    what: 'items whose access contradicts their level and their groups',
    query: `items where access <> case when level <> 'private' then level
      when exists (select 1 from item_groups where item_groups.item_number = items.id) then 'shared'
      else 'private' end`,
  },
  {
    what: 'categories whose place in the tree contradicts their path',
    query: `category_paths as path left join category_paths as above on above.id = path.parent_id
      and above.owner_kind = path.owner_kind and above.owner_id = path.owner_id
      where path.depth <> length(path.path) - length(replace(path.path, '/', ''))
      or (path.depth > 1) <> (path.parent_id is not null) or (path.depth > 1 and (above.id is null
      or above.depth <> path.depth - 1 or substr(path.path, 1, length(above.path) + 1) <> above.path || '/'))`,
  },
  {
    what: 'items with categories of another organization, or of a group that does not have them',
    query: `item_categories as carried join category_paths as path on path.id = carried.category_id
      join items on items.id = carried.item_number where case when path.owner_kind = 'portal'
      then path.owner_id <> items.portal_id else not exists (select 1 from item_groups
      where item_groups.item_number = items.id and item_groups.group_id = path.owner_id) end`,
  },
  {
    what: 'users and organizations with other items or bytes than are counted',
    query: `(select account from (${accountsOfRows}
      union all select owner_id, -items, -bytes from item_counts where owner_kind = 'user'
      union all select owner_id, -items, -bytes from item_count_changes) as counted
      group by account having sum(items) <> 0 or sum(bytes) <> 0) as account`,
  },
  {
    what: 'items that are shared with a group that is gone',
    query: `item_groups as link where not exists (select 1 from "groups" where "groups".group_id = link.group_id)
      and not exists (select 1 from ended_links as ended where ended.group_id = link.group_id and ended.owner_id = ''
      and ended.after_item < link.item_number)`,
  },
]
