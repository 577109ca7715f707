/** The software ConnectX. */
@NullMarked
package dev.bluebell.softnic;

import org.jspecify.annotations.NullMarked;
