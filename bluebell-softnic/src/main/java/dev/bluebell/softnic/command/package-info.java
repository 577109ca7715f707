/** The firmware: executes PRM commands. */
@NullMarked
package dev.bluebell.softnic.command;

import org.jspecify.annotations.NullMarked;
