/** Px between the edges of a chart and its inner area. */
export const plotInsets = { left: 72, right: 8, top: 8, bottom: 24 } as const
