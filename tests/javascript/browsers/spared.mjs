// What may be lacking, since a page then does the same: by what is used, what a reader without it sees.

export const SPARED = {
  "text-wrap": "lines of unequal length",
  "text-size-adjust": "the same: only browsers of phones enlarge text, and know this name or the older one",
  "-webkit-text-size-adjust": "as the name without a prefix",
  "field-sizing": "a text field that scrolls",
  "forced-color-adjust": "the same: only browsers with forced colours need it",
  "(forced-colors)": "the same: only browsers with forced colours need it",
  cursor: "the same: phones have none",
  resize: "the same: phones have no handle",
  "break-after": "a heading printed at the end of a sheet of paper",
  "@page": "the printer's own margins",
  "content-visibility": "a fold that is printed as it was on the screen",
  ":details-content": "a fold that is printed as it was on the screen",
  inert: "forms that can be tapped while an answer is under way; what is told twice is recorded once",
  share: "the same: `canShare` is asked first, and has come with it",
  beforeunload: "no question before a page with unsent entries is left; they are kept on the phone",
  autocapitalize: "a keyboard that begins with a capital letter",
  "rel=icon": "the same: a phone takes the icon of its own name",
  "rel=manifest": "the same: such a browser installs no pages",
  "name=viewport": "the same: no promised browser lacks `viewport`, which the data has only in parts",
};
