/** The conformance tests, which every device must pass, as a command with a report. */
@NullMarked
package dev.bluebell.cli.conformance;

import org.jspecify.annotations.NullMarked;
