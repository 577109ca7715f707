/**
 * Faults that happen on purpose: what counts and draws them. There is none where none are asked
 * for.
 */
@NullMarked
package dev.bluebell.softnic.injection;

import org.jspecify.annotations.NullMarked;
