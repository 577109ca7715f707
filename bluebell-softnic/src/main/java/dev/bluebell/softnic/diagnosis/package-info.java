/** The flight recorder, explanations and counters. */
@NullMarked
package dev.bluebell.softnic.diagnosis;

import org.jspecify.annotations.NullMarked;
