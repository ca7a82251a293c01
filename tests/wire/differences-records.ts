import type { Difference } from './difference.ts'
import { asUnknown, strict } from './reasons.ts'

/** How ours differs in records. */
export const records: readonly Difference[] = [
  {
    file: 'errors',
    step: 'body is null',
    error: /name is required/,
    why: strict,
    instead: { name: 'null', servers: [] },
  },
  {
    file: 'server-config',
    step: 'set: text that is not JSON (accepted, agent rejects silently)',
    error: /config must be JSON/,
    why: 'what no agent can take is not sent to any',
  },
  { file: 'servers', step: 'edit: foreign server', error: 'server id 1 does not exist', why: asUnknown },
  {
    file: 'servers',
    step: 'edit: empty object resets everything',
    error: /name is required/,
    why: strict,
    instead: { name: 'reset' },
  },
  {
    file: 'server-groups',
    step: 'create: empty object',
    error: /name is required/,
    why: strict,
    instead: { name: 'empty' },
  },
  {
    file: 'server-groups',
    step: 'create: other duplicates',
    success: true,
    undo: 'server-group',
    why: 'a server that is named twice is in the group once',
  },
  {
    file: 'server-groups',
    step: 'create: member with foreign server',
    error: 'have invalid server id',
    why: asUnknown,
  },
  {
    file: 'server-groups',
    step: 'edit: empty object',
    error: /name is required/,
    why: strict,
    instead: { name: 'empty' },
  },
  { file: 'server-groups', step: 'edit: foreign group', error: 'group id 2 does not exist', why: asUnknown },
  {
    file: 'server-groups',
    step: 'edit: foreign group with a foreign server',
    error: 'group id 2 does not exist',
    why: asUnknown,
  },
  {
    file: 'server-groups',
    step: 'edit: member puts a foreign server in an own group',
    error: 'have invalid server id',
    why: asUnknown,
  },
  { file: 'server-groups', step: 'delete: foreign', success: true, why: asUnknown },
  { file: 'server-groups', step: 'delete: own and foreign', success: true, why: asUnknown },
  {
    file: 'server-groups',
    step: 'list as admin again',
    at: [/^body\.data$/],
    why: 'the step before deleted its own group',
  },
  { file: 'delete-server', step: 'foreign', success: true, why: asUnknown },
  { file: 'delete-server', step: 'own and foreign: nothing is deleted', success: true, why: asUnknown },
]
