import { resources } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { fieldOf, jsonFields } from './output-flags.ts'

test('C-07 what --json writes is stable: a field that goes or changes its kind breaks scripts', () => {
  const fields = resources.map((resource) => [
    resource.name,
    jsonFields(resource)
      .map((name) => `${name}:${fieldOf(resource, name).kind}`)
      .join(' '),
  ])
  expect(Object.fromEntries(fields)).toMatchInlineSnapshot(`
    {
      "account": "id:number created_at:instant updated_at:instant username:text role:choice login_ip:address oauth2_bind:part new_username:text",
      "api-token": "id:number created_at:instant name:text scopes:list server_ids:refs expires_in_days:number expires_at:instant last_used_at:instant last_used_ip:address owner:part reach:reach",
      "cron": "id:number created_at:instant updated_at:instant name:text task_type:choice scheduler:schedule command:command cover:choice servers:refs last_executed_at:instant owner:part next_run_at:instant last_state:choice reach:reach",
      "run": "id:number created_at:instant updated_at:instant kind:choice cron_id:ref name:text command:command started_by:text finished_at:instant counts:part items:part rollout:part owner:part state:choice success:number failure:number no_answer:number took:duration",
      "server": "id:number created_at:instant updated_at:instant name:text display_index:number note:note public_note:note hide_for_guest:flag uuid:text host:part state:part geoip:part last_active:instant last_seen_at:instant owner:part status:choice groups:refs address:address cpu:percent memory:percent swap:percent disk:percent net_in:rate net_out:rate traffic_in:bytes traffic_out:bytes load:number uptime:duration processes:number connections:number platform:text arch:text version:version country:text",
      "server-group": "id:number created_at:instant updated_at:instant name:text servers:refs owner:part reach:reach",
      "session": "id:number created_at:instant updated_at:instant kind:choice client:text address:address server_id:ref last_used_at:instant expires_at:instant is_current:flag owner:part device:text user:text",
      "setting": "version:version site_name:text language:choice install_host:address tls:flag time_zone:text force_auth:flag step_up:flag",
      "transfer": "id:number created_at:instant updated_at:instant server_id:ref server_name:text status:choice last_error:text acked_at:instant owner:part from:text to:text by:text",
    }
  `)
})
