/** What all commands share: how they run, print and fail, and the options that several have. */
@NullMarked
package dev.bluebell.cli.command;

import org.jspecify.annotations.NullMarked;
