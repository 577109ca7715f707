/** Umems, memory keys, and the checks of every access. */
@NullMarked
package dev.bluebell.softnic.translation;

import org.jspecify.annotations.NullMarked;
