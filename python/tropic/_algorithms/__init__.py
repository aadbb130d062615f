# SPDX-License-Identifier: Apache-2.0
"""Graph algorithms. A graph is a square Matrix; an entry (i, j) is an edge from i to j.

Every function takes ``progress``, a callable that receives the name of each step and the fraction
done, or None where that is not known; or True, for a bar of tqdm if that is installed. An exception
that a callable raises, and Ctrl+C, end the run at its next step and leave every container as it was.
Other threads of Python run meanwhile.
"""

from .centrality import *
from .communities import *
from .searches import *
from .structure import *
