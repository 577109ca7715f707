/**
 * Events for the JDK's flight recorder. An event that nobody records costs its class, and nothing
 * of them stands on the data path: what fails is told where a failure is looked at anyway, and
 * rates are read from the indices that queues have.
 */
@NullMarked
package dev.bluebell.verbs.jfr;

import org.jspecify.annotations.NullMarked;
