export const productName = 'Quarterdeck'
export const firstYear = 2025
