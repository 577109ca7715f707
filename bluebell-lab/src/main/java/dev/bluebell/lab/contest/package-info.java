/**
 * Contests of several clients for one table, each with programs of its own, and the rules that must
 * hold in any order of their calls.
 */
@NullMarked
package dev.bluebell.lab.contest;

import org.jspecify.annotations.NullMarked;
