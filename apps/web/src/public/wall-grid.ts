const withWords = 2.2

/** Columns and rows that give `count` tiles the best shape on a screen of this aspect ratio. `wanted`: aspect ratio of a tile. */
export function gridOf(count: number, shape: number, wanted = withWords): { columns: number; rows: number } {
  let best = { columns: 1, rows: Math.max(1, count), miss: Number.POSITIVE_INFINITY }
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(Math.max(1, count) / columns)
    const miss = Math.abs(Math.log((shape * rows) / columns / wanted)) + (columns * rows - count) / (count + 1)
    if (miss < best.miss) best = { columns, rows, miss }
  }
  return { columns: best.columns, rows: best.rows }
}
