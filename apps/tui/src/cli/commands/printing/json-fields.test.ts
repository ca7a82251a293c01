import { fieldOf } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import { expect, test } from 'vitest'

/** What was published: fields with their kinds. New entities and fields need no line until a script is promised them. */
const published: Readonly<Record<string, string>> = {
  account:
    'id:number created_at:instant updated_at:instant username:text role:choice login_ip:address secret_waiting:number totp:flag recovery_codes:number oauth2_bind:part bound:text rejects_password:flag',
  'alert-rule':
    'id:number created_at:instant updated_at:instant name:text enable:flag rules:rules server_query:text follows:flag trigger_mode:choice notification_group_id:ref fail_trigger_tasks:refs recover_trigger_tasks:refs firing:refs owner:part state:choice reach:targets drift:refs',
  'api-token':
    'id:number created_at:instant name:text scopes:list server_ids:refs expires_at:instant last_used_at:instant last_used_ip:address owner:part reach:targets',
  audit:
    'id:number at:instant username:text action:text target:text result:choice address:address changes:part record:text lasted:duration ended:choice changed:note',
  cron: 'id:number created_at:instant updated_at:instant name:text task_type:choice scheduler:schedule command:command cover:choice servers:refs server_query:text follows:flag push_successful:flag notification_group_id:ref last_executed_at:instant last_counts:part owner:part next_run_at:instant last_state:choice reach:targets drift:refs',
  ddns: 'id:number created_at:instant updated_at:instant name:text provider:choice domains:list enable_ipv4:flag enable_ipv6:flag max_retries:number access_id:text webhook_url:text webhook_method:choice webhook_request_type:choice masked_headers:note masked_body:note results:part owner:part state:choice servers:refs last_updated_at:instant published:note last_error:note',
  incident:
    'id:number created_at:instant updated_at:instant source:choice rule_id:ref service_id:ref server_id:ref name:text state:choice reading:reading error:note opened_at:instant closed_at:instant acked_by:text acked_at:instant silenced_until:instant quiet:flag told:part responses:part runs:refs owner:part lasted:duration notified:list',
  'maintenance-window':
    'id:number created_at:instant updated_at:instant name:text starts_at:instant ends_at:instant cover:choice servers:refs server_query:text follows:flag services:refs note:note owner:part state:choice reach:targets drift:refs',
  nat: 'id:number created_at:instant updated_at:instant name:text enabled:flag server_id:ref host:address domain:address checked_at:instant check_error:note owner:part state:choice',
  notification:
    'id:number created_at:instant updated_at:instant name:text request_method:choice request_type:choice verify_tls:flag format_metric_units:flag host:address masked_header:note masked_body:note last_sent_at:instant last_error:note owner:part state:choice groups:refs',
  'notification-group':
    'id:number created_at:instant updated_at:instant name:text notifications:refs owner:part rules:refs services:refs',
  'online-user': 'id:number ip:address connected_at:instant username:text client:text is_self:flag device:text',
  run: 'id:number created_at:instant updated_at:instant kind:choice cron_id:ref name:text command:command started_by:text finished_at:instant counts:part items:part rollout:part owner:part state:choice success:number failure:number no_answer:number took:duration',
  server:
    'id:number created_at:instant updated_at:instant name:text display_index:number note:note public_note:note hide_for_guest:flag enable_ddns:flag ddns_profiles:refs override_ddns_domains:id-map uuid:text host:part state:part geoip:part last_active:instant last_seen_at:instant pressure:part own_secret:flag enrolled_at:instant maintenance_until:instant owner:part status:choice groups:refs address:address cpu:percent memory:percent swap:percent disk:percent net_in:rate net_out:rate traffic_in:bytes traffic_out:bytes load:number uptime:duration processes:number connections:number platform:text arch:text version:version country:text maintenance:flag watch_only:flag silent_disks:list',
  'server-group': 'id:number created_at:instant updated_at:instant name:text servers:refs owner:part reach:targets',
  service:
    'id:number created_at:instant updated_at:instant name:text type:choice target:address duration:duration display_index:number cover:choice skip_servers:refs server_query:text follows:flag notify:flag notification_group_id:ref latency_notify:flag min_latency:number max_latency:number enable_trigger_task:flag fail_trigger_tasks:refs recover_trigger_tasks:refs hide_for_guest:flag status:choice status_since:instant delay:number error:note answered_by:text up_percent:number days:days cert_issuer:text cert_expires_at:instant owner:part state:choice reach:targets drift:refs certificate:duration',
  session:
    'id:number created_at:instant updated_at:instant kind:choice client:text address:address server_id:ref last_used_at:instant expires_at:instant is_current:flag owner:part device:text user:text',
  setting:
    'version:version site_name:text language:choice install_host:address tls:flag time_zone:text effective_time_zone:text force_auth:flag step_up:flag session_days:number session_bound_to_address:flag avatar_service:address custom_code:note custom_code_dashboard:note dashboard_host:address reserved_hosts:text nat_domains:text dns_servers:text web_real_ip_header:text agent_real_ip_header:text waf_allowlist:list cover:choice ignored_ip_notification:refs ip_change_notification_group_id:ref enable_ip_change_notification:flag enable_plain_ip_in_notification:flag outbound_allowlist:list history_fine_hours:number history_middle_days:number history_coarse_days:number history_bytes:bytes trial_until:instant audit_days:number audit_entries:number user_records:number members_see_hosts:flag enable_mcp:flag',
  'sign-in-provider':
    'id:number created_at:instant updated_at:instant name:text kind:choice base_url:address client_id:text site_url:address enabled:flag owner:part',
  transfer:
    'id:number created_at:instant updated_at:instant server_id:ref server_name:text status:choice last_error:text acked_at:instant owner:part from:text to:text by:text',
  user: 'id:number created_at:instant updated_at:instant username:text role:choice secret_waiting:number reject_password:flag totp:flag last_used_at:instant is_self:flag owns:part servers:number records:number',
  waf: 'id:number ip:address block_reason:choice block_identifier:number count:number note:text blocked_until:instant state:choice since:instant user:ref',
}

test('C-07 what --json writes is stable: a field that goes or changes its kind breaks scripts', () => {
  const fieldsOf = (name: string) => {
    const resource = resources.find((one) => one.name === name)
    return resource ? jsonFields(resource).map((field) => `${field}:${fieldOf(resource, field).kind}`) : []
  }
  for (const [name, fields] of Object.entries(published))
    expect(fieldsOf(name), name).toEqual(expect.arrayContaining(fields.split(' ')))
})
