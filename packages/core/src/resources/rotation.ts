const asked = { confirm: 'ask', stepUp: true, capability: 'secret-rotation' } as const

export const rotation = {
  ...asked,
  icon: 'refresh-cw',
  aliases: ['next agent secret', 'change agent secret', 'rotate agent key'],
  blocked: [{ when: { secret_waiting: { empty: false } }, reason: 'rotating' }],
  warn: [{ when: {}, warning: 'rotation' }],
} as const

export const rotationEnd = {
  ...asked,
  icon: 'ban',
  tone: 'bad',
  aliases: ['finish rotation', 'revoke old agent secret'],
  blocked: [{ when: { secret_waiting: { empty: true } }, reason: 'notRotating' }],
  warn: [{ when: {}, warning: 'endRotation' }],
} as const
