import type { InputOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { DdnsProvider, ddns } from '@qd/core/resources'
import { asciiDomain, RequestMethod, RequestType } from '@qd/core/schemas'
import { texts } from '../../kernel/texts.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import type { DdnsRecords, DdnsRow } from '../../store/records/rows.ts'
import { originOf } from '../../watch/notices/delivery.ts'
import { defineEntity, type Entity, storedFields } from './entity.ts'

const defaults = {
  provider: DdnsProvider.dummy,
  webhook_method: RequestMethod.GET,
  webhook_request_type: RequestType.json,
}

function domainText({ domains }: Readonly<Record<string, unknown>>): string {
  const bad = (domains as readonly unknown[]).map(String).find((text) => asciiDomain(text.trim()) === null) ?? ''
  const rune = /[^\w.*-]/.exec(bad)?.[0]
  const code = rune?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `error parsing ${bad}: idna: ${code && code < '0080' ? `disallowed rune U+${code}` : `invalid label "${bad}"`}`
}

type MutableDdns = MutableRecords<DdnsRow> & DdnsRecords

export const ddnsProfiles: Entity<'ddns', DdnsRow, MutableDdns> = defineEntity(ddns, {
  table: 'ddns',
  extend: (records) => ({ ...records, updated: (id, results) => records.patch(id, { results }) }),
  rules: ({ ddnsUpdates, announcements }) => ({
    fieldsOf: (row) => ({
      ...storedFields(ddns, row),
      domains: row.domains.length > 0 ? row.domains : null,
    }),
    otherVersion: () => String(announcements.versionOf('ddns')),
    omit: ['access_id', 'access_secret', 'webhook_url', 'webhook_headers', 'webhook_request_body'],
    fresh: { results: {} },
    defaults,
    texts: {
      'max_retries.tooSmall': () => texts.retryCount,
      'max_retries.tooBig': () => texts.retryCount,
      'domains.notDomain': domainText,
    },
    async prove(input: InputOf<typeof ddns>, before) {
      if (before) demandOwnSecrets(input, before)
    },
    actions: { update: (_caller, row) => ddnsUpdates.update(row.id) },
  }),
})

const secrets = ['access_secret', 'webhook_headers', 'webhook_request_body'] as const

/** Secrets stored for one provider or address aren't sent to another, where a user could read them (behaviour S-35). Errors: `invalid`. */
function demandOwnSecrets(values: InputOf<typeof ddns>, before: DdnsRow): void {
  const isMoved = originOf(values.webhook_url) !== originOf(before.webhook_url)
  const isOther = values.provider !== before.provider && values.provider !== DdnsProvider.dummy
  const asked = isMoved ? secrets : isOther ? (['access_secret'] as const) : []
  const kept = asked.filter((field) => before[field] !== '' && values[field] === before[field])
  if (kept.length === 0) return
  const problems = kept.map((field) => ({ field, code: 'required' }) as const)
  throw new AppError('invalid', { text: texts.keptForProvider }, { problems })
}
