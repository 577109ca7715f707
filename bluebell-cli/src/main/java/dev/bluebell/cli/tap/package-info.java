/** A device that lets others look at, and tamper with, what driver and device share. */
@NullMarked
package dev.bluebell.cli.tap;

import org.jspecify.annotations.NullMarked;
