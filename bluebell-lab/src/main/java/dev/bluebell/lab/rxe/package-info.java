/** The software ConnectX and Linux Soft-RoCE as each other's peers: what they exchange, judged. */
@NullMarked
package dev.bluebell.lab.rxe;

import org.jspecify.annotations.NullMarked;
