async (options) => (await axe.run(options)).violations.map(({ id, nodes }) =>
  [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))])
