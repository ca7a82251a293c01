import type { ReadState } from '@qd/core/documents'
import type { Cli } from '../cli.ts'

/** Says what this sign-in may not read, and which records nobody can. What a server does not have is nothing that is missing. */
export function tellUnread({ translator, warn }: Cli, { unread, bad }: Pick<ReadState, 'unread' | 'bad'>): void {
  const { t } = translator
  for (const { resource, reason } of bad) warn(t('ui.cli.list.badRow', { name: resource.name, reason }))
  for (const { resource, error } of unread) {
    const isRefused = error.code !== 'noRoute' && error.code !== 'unsupported'
    if (isRefused) warn(t('ui.documents.unread', { name: resource.name }))
  }
}
