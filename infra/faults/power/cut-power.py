# Cuts the power of a mounted ext4: what its journal and its disk have not got by now is gone. Arguments: the mount point.
import fcntl
import os
import struct
import sys

EXT4_IOC_SHUTDOWN = 0x8004587D
EXT4_GOING_FLAGS_NOLOGFLUSH = 2

folder = os.open(sys.argv[1], os.O_RDONLY)
fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", EXT4_GOING_FLAGS_NOLOGFLUSH))
