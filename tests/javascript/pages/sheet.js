// A sheet that takes a file, or refuses it with an error of this name.
(refuses) => {
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => {
    window.shared.push(...files);
    if (refuses) throw new DOMException("refused", refuses);
  };
}
