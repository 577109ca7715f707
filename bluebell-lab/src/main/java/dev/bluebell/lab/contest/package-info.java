/**
 * Several clients on one table at the same time, each with programs of its own, and what must hold
 * whatever they do.
 */
@NullMarked
package dev.bluebell.lab.contest;

import org.jspecify.annotations.NullMarked;
