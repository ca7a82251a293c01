import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

const cpu = { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: {} }
const ignored = 'foreign and unknown servers in `ignore` are refused (decisions.md, "`ignore` of alert rules")'
const apart = 'monitors are replayed by themselves'

/** How ours differs in alert rules. */
export const alerts: readonly Difference[] = [
  {
    file: 'alert-rules',
    step: 'create: cycle rule with a date only',
    error: /^cycle_start must be a time/,
    why: 'the text of a library',
  },
  {
    file: 'alert-rules',
    step: 'create: null rule',
    status: 200,
    error: /^rules /,
    at: [/^headers\./, /^bodyText$/],
    why: 'a null element is refused instead of ending the request (S-50)',
  },
  {
    file: 'alert-rules',
    step: 'create: trigger_mode 7 accepted, enable missing',
    error: /^trigger_mode is not one of/,
    why: 'unknown modes are refused (decisions.md, "Stricter checks")',
    instead: { name: 'mode7', rules: [cpu], trigger_mode: 1 },
  },
  {
    file: 'alert-rules',
    step: 'create: unknown type accepted',
    error: /^rules have the unknown type foo/,
    why: 'decisions.md, "Alert rule items"',
    instead: { name: 'odd', rules: [{ ...cpu, max: 1, duration: 3, ignore: undefined }], trigger_mode: 0 },
  },
  {
    file: 'alert-rules',
    step: 'create: member, foreign server ids in ignore',
    error: 'permission denied',
    why: ignored,
    instead: {
      ...{ name: 'alice rule', rules: [{ type: 'offline', duration: 10, cover: 1, ignore: {} }] },
      ...{
        fail_trigger_tasks: [],
        recover_trigger_tasks: [],
        notification_group_id: 0,
        trigger_mode: 0,
        enable: false,
      },
    },
  },
  { file: 'alert-rules', step: 'list as member', at: [/\.ignore$/], why: ignored },
  {
    file: 'alert-rules',
    step: 'list as admin',
    at: [/\.(fail_trigger_tasks|recover_trigger_tasks|ignore)$/, /^body\.data\[\d\]\.rules\[0\]\.type$/],
    why: 'a missing list is stored as an empty one; the rule of an unknown type was refused',
  },
  { file: 'alert-rules', step: 'edit: foreign', error: 'alert id 1 does not exist', why: asUnknown },
  { file: 'alert-rules', step: 'delete: foreign', success: true, why: asUnknown },
  ...['cycle statistics in GET /service', 'cycle statistics as guest'].map((step) => ({
    file: 'alert-rules',
    step,
    at: [/^body\.data\.services$/],
    why: apart,
  })),
]
