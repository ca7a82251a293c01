/** Every entity the product will have, named in one place so that references compile before their target is built. */
export const resourceNames = [
  'server',
  'server-group',
  'service',
  'cron',
  'notification',
  'notification-group',
  'alert-rule',
  'ddns',
  'nat',
  'user',
  'api-token',
  'waf',
  'online-user',
  'transfer',
  'setting',
  'account',
  'run',
  'incident',
  'maintenance-window',
  'session',
  'audit',
] as const

/** The one word of an entity in every layer: file, URL, CLI noun, locale key. */
export type ResourceName = (typeof resourceNames)[number]

/** Icons by our own names; each front end maps them (web: Lucide of the same name, terminal: a mark or nothing). */
export const iconNames = [
  'server',
  'play',
  'pause',
  'square',
  'monitor',
  'tag',
  'download',
  'arrow-right-left',
  'terminal',
  'folder',
  'circle-arrow-up',
  'sliders-horizontal',
  'pencil',
  'copy',
  'trash-2',
  'list-filter',
  'columns-3',
  'clock',
  'bell',
  'layers',
  'route',
  'plus',
  'user',
  'key',
  'settings',
  'log-out',
  'history',
  'globe',
  'sun',
  'languages',
  'keyboard',
  'refresh-cw',
  'eye',
  'eye-off',
  'link',
  'undo-2',
] as const
export type IconName = (typeof iconNames)[number]

/** How a value or outcome feels; colour and shape are the front end's (design/looks/tokens.md 2). */
export type Tone = 'plain' | 'muted' | 'accent' | 'ok' | 'warn' | 'bad'
