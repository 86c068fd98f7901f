"""The rule sets, by name. A new game is a file in this folder and a line here."""

from nimatron.games.nim import Nim

GAMES = {game.name: game for game in (Nim(),)}
