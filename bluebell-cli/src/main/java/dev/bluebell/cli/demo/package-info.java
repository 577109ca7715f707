/** The tour, which shows every capability once, and every failure once. */
@NullMarked
package dev.bluebell.cli.demo;

import org.jspecify.annotations.NullMarked;
