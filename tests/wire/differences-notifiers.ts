import type { Difference } from './difference.ts'
import { asUnknown, strict } from './reasons.ts'

/** A notifier as the recording stored one without anything. */
const hook = { name: '-', url: 'https://hooks.example.com/', request_method: 2, request_type: 1, skip_check: true }

/** How ours differs in notifiers and their groups. */
export const notifiers: readonly Difference[] = [
  {
    file: 'notifications',
    step: 'create: empty object (test send fails)',
    error: /url is required/,
    why: 'stricter on purpose (decisions.md, "Stricter checks"): what is typed is checked before anything is sent',
  },
  {
    file: 'notifications',
    step: 'create: empty object but skip_check',
    error: /url is required/,
    why: 'stricter on purpose (decisions.md, "Stricter checks"): a name and an address are needed',
    instead: hook,
  },
  {
    file: 'notifications',
    step: 'create: not a URL',
    error: 'HTTP URL target is not allowed',
    why: 'one text for every address that is not one of a web server',
  },
  {
    file: 'notifications',
    step: 'create: header text is not an object',
    error: 'wrong type',
    why: 'what is typed is checked before its address is looked up',
  },
  {
    file: 'notifications',
    step: 'create: body text is not an object (form)',
    error: 'request_body 1:1 must be JSON',
    why: 'a refused body says where it is wrong',
  },
  { file: 'notifications', step: 'edit: foreign', error: 'notification id 2 does not exist', why: asUnknown },
  { file: 'notifications', step: 'delete: foreign', success: true, why: asUnknown },
  {
    file: 'notification-groups',
    step: 'create: empty object',
    error: /name is required|name needs/,
    why: strict,
    instead: { name: '-', notifications: [] },
  },
  {
    file: 'notification-groups',
    step: 'create: duplicates (apart)',
    success: true,
    why: 'a list of ids has each once, wherever it stands (decisions.md, "Stricter checks")',
    undo: 'notification-group',
  },
  {
    file: 'notification-groups',
    step: 'create: member with foreign notifier',
    error: 'have invalid notification id',
    why: asUnknown,
  },
  { file: 'notification-groups', step: 'edit: foreign', error: 'group id 1 does not exist', why: asUnknown },
  { file: 'notification-groups', step: 'delete: foreign', success: true, why: asUnknown },
]
