"""Dictation: a spoken play, as a phone's keyboard transcribes it, matched against the plays that are legal now.

In Vietnamese and English, with or without tones, and with misheard words: `đôi bảy rô cơ`, `heo cơ`, `qua`, `tứ quý
chín`, `sảnh ba bích bốn cơ năm rô`, `ba con bảy không cơ`, `pair of sevens`. A word may have several meanings. Of
all readings of a phrase, those count that are nearest to the transcript and name a legal play; nothing else is
guessed. Where only suits are missing, all plays that fit are found.
"""

from ledger.language.dictation.hearing import MOST, Fits, Heard, heard

__all__ = ["MOST", "Fits", "Heard", "heard"]
