// Where the page changes its shape, in px; the media queries of the components use the same two.
export const PHONE = 700; // below it rows are stacked
export const DESK = 1100; // from it on there are three zones instead of four tabs
