/** Binds the suite to the software ConnectX, run in each of the ways in which it can run. */
@NullMarked
package dev.bluebell.conformance.binding;

import org.jspecify.annotations.NullMarked;
