import { type AnyRow, type Resource, textKey } from '@qd/core/define'
import { nounOf, type Translator } from '@qd/core/i18n'

export function savedName(
  { say, language }: Pick<Translator, 'say' | 'language'>,
  { resource, sent, before }: { resource: Resource; sent: Readonly<Record<string, unknown>>; before: AnyRow | null },
): string {
  if (resource.wire.shape === 'one') return nounOf(say(textKey.one(resource.name)), language)
  return String(sent[resource.title] ?? before?.[resource.title] ?? '')
}
