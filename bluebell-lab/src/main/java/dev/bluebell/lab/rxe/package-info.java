/** Exchanges between the software ConnectX and Linux Soft-RoCE as peers, with checks of both. */
@NullMarked
package dev.bluebell.lab.rxe;

import org.jspecify.annotations.NullMarked;
