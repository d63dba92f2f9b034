(button) => {
  const name = "Công Tằng Tôn Nữ Hoàng Thị Phương Uyên Nguyễn Đặng Trần Lê";
  const picture = JSON.parse(button.dataset.picture);
  const row = { place: 12, name, points: "+1000000000", worth: "+5.000.000.000.000 đ", side: "won" };
  picture.rows = Array(12).fill(row);
  picture.due = picture.handed = Array(11).fill({ payer: name, payee: name, worth: row.worth });
  button.dataset.picture = JSON.stringify(picture);
}
