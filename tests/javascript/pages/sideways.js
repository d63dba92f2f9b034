// Whether the page is wider than the screen.
() => document.scrollingElement.scrollWidth > innerWidth ? ["sideways"] : []
