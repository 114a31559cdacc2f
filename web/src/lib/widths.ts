// Where the page changes its shape, in px; the media queries of the components use it too.
export const DESK = 1100; // from it on there are three zones instead of four tabs
