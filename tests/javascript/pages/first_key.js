// The box of the first key of the grid.
() => document.querySelector(".key").getBoundingClientRect().toJSON()
