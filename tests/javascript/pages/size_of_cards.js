// The size of what is written on the cards of the newest play, in pixels.
() => parseFloat(getComputedStyle(document.querySelector(".pile .top .card")).fontSize)
