import type { DetailDefinition } from '../define/index.ts'

/** The page of one service: how it stands, from where and how fast it answers, whom it tells, what went wrong. */
export const serviceDetail = {
  sections: [
    { kind: 'problem', field: 'error' },
    { kind: 'lead', field: 'target' },
    {
      kind: 'facts',
      fields: [
        'state',
        'status_since',
        'type',
        'duration',
        'reach',
        'chosen_by',
        'drift',
        'delay',
        'answered_by',
        'up_percent',
        'cert_expires_at',
        'cert_issuer',
        'hide_for_guest',
      ],
    },
    { kind: 'days', field: 'days' },
    { kind: 'latency', path: 'service/{id}/history' },
    { kind: 'tells', group: 'notification_group_id', when: ['notify', 'latency_notify'] },
    { kind: 'related', of: 'incident', by: 'service_id', fields: ['state', 'lasted', 'reading'] },
    { kind: 'rest', without: ['status', 'cover', 'skip_servers'] },
  ],
} as const satisfies DetailDefinition<string>
