/**
 * Random traffic of queue pairs of all kinds, against a model in plain Java of their memory and of
 * what must complete.
 *
 * <p>A <em>flow</em> is an ordered row of requests, an <em>inbox</em> is where messages arrive, a
 * <em>territory</em> is memory and its model.
 */
@NullMarked
package dev.bluebell.conformance.traffic;

import org.jspecify.annotations.NullMarked;
