"""Check a circuit board and plot the files for a board house. KiCad's Python runs this file:

    /usr/bin/python3 wiring/kicad/plot.py nimatron|exhibit [FOLDER]

FOLDER gets KiCad's report on the design rules, the Gerber and drill files, and a copy of the board
with filled areas. Without FOLDER, the files go into NAME-board.zip, and kicad-cli from KiCad 9
takes a new picture. If the report has an entry, nothing is plotted.
"""

import csv
import hashlib
import io
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pcbnew

HERE = Path(__file__).parent
NAME, *OUT = sys.argv[1:]
BOARD, ZIP, PICTURE = (HERE / f"{NAME}{end}" for end in (".kicad_pcb", "-board.zip", ".png"))
LAYERS = {
    "F_Cu": pcbnew.F_Cu,
    "B_Cu": pcbnew.B_Cu,
    "F_Mask": pcbnew.F_Mask,
    "B_Mask": pcbnew.B_Mask,
    "F_Silkscreen": pcbnew.F_SilkS,
    "Edge_Cuts": pcbnew.Edge_Cuts,
}
MILLIMETRES, NO_MARKS = 1, 0  # KiCad 6 and KiCad 9 have different names for these


def check(folder):
    """Return the board with its ground areas filled. Exit if KiCad reports anything."""
    for path in (BOARD, BOARD.with_suffix(".kicad_pro")):
        shutil.copy(path, folder)
    filled = str(folder / BOARD.name)
    board = pcbnew.LoadBoard(filled)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(filled, board)
    report = folder / "drc.txt"
    pcbnew.WriteDRCReport(board, str(report), MILLIMETRES, True)
    if re.findall(r"\*\* Found (\d+)", report.read_text()) != ["0", "0", "0"]:
        sys.exit(report.read_text())
    return board


def plot(board, folder):
    """Write the files for a PCB manufacturer."""
    plots = pcbnew.PLOT_CONTROLLER(board)
    options = plots.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseAuxOrigin(True)
    options.SetUseGerberProtelExtensions(True)
    options.SetPlotValue(False)
    options.SetDrillMarksType(NO_MARKS)
    for name, layer in LAYERS.items():
        plots.SetLayer(layer)
        plots.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plots.PlotLayer()
    plots.ClosePlot()
    corner = board.GetDesignSettings().GetAuxOrigin()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    drill.SetOptions(False, False, corner, False)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)
    places, parts = [], {}
    for part in sorted(board.GetFootprints(), key=lambda part: part.GetReference()):
        package = str(part.GetFPID().GetLibItemName())
        if package != "Screw_M3":
            pads = [pad.GetPosition() for pad in part.Pads()]
            x = sum(pad.x - corner.x for pad in pads) / len(pads) / 1e6
            y = sum(corner.y - pad.y for pad in pads) / len(pads) / 1e6
            turn = f"{part.GetOrientationDegrees():g}"
            key = part.GetReference(), part.GetValue(), package
            places.append([*key, f"{x:.3f}", f"{y:.3f}", turn, "Top"])
            parts.setdefault(key[1:], []).append(key[0])
    head = ["Designator", "Value", "Package", "Mid X", "Mid Y", "Rotation", "Layer"]
    _table(folder / "placement.csv", [head, *places])
    rows = [[",".join(refs), *key, len(refs)] for key, refs in parts.items()]
    _table(folder / "parts.csv", [["Designator", "Value", "Package", "Quantity"], *rows])


def _table(path, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    path.write_bytes(text.getvalue().encode())


def pack(folder):
    """Put the files into a zip file without dates, so that equal boards give equal files. The
    comment of the zip file is the digest of the board."""
    with zipfile.ZipFile(ZIP, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.comment = hashlib.sha256(BOARD.read_bytes()).hexdigest().encode()
        for path in sorted(folder.glob("*.[gdc]*")):
            lines = path.read_text().splitlines(keepends=True)
            kept = [line for line in lines if not re.search("CreationDate|[Dd]ate ", line)]
            packed.writestr(zipfile.ZipInfo(path.name), "".join(kept), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(OUT[0] if OUT else scratch).resolve()
        target.mkdir(parents=True, exist_ok=True)
        board = check(target)
        plot(board, target)
        if not OUT:
            pack(target)
            if render := shutil.which("kicad-cli"):
                edges = board.GetBoardEdgesBoundingBox()
                shape = edges.GetHeight() / edges.GetWidth()
                look = ["--side", "top", "--width", "1000", "--height", f"{1000 * shape:.0f}"]
                look += ["--zoom", f"{1 / shape:.2f}"]
                filled = str(target / BOARD.name)
                subprocess.run([render, "pcb", "render", *look, "-o", PICTURE, filled], check=True)
