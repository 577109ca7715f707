/**
 * Events for the JDK's flight recorder. Events that are not recorded cost only their classes, and
 * the data path has no code for them: failures are reported where failed completions are handled
 * anyway, and rates are computed from the queues' indices.
 */
@NullMarked
package dev.bluebell.verbs.jfr;

import org.jspecify.annotations.NullMarked;
