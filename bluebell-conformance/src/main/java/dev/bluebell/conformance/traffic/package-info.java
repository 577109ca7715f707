/**
 * Random traffic on queue pairs of all kinds, compared with a model in plain Java of their memory
 * and completions.
 *
 * <p>A <em>flow</em> is an ordered sequence of requests, an <em>inbox</em> receives messages, a
 * <em>territory</em> is memory and its model.
 */
@NullMarked
package dev.bluebell.conformance.traffic;

import org.jspecify.annotations.NullMarked;
